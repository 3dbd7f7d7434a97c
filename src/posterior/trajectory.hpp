// How far one move goes and how steep a wall it can take, known to the kernel that makes it and to
// the forecast that prices it.
#pragma once

namespace flymc {

// Of split HMC's trajectory: a quarter turn, with no fireflies an independent draw.
inline constexpr double kTrajectoryAngle = 1.5707963267948966;
// A row of leverage r turns a unit momentum with curvature about r^2/2: it tolerates a step of this
// over r.
inline constexpr double kWallStep = 1.2;

}  // namespace flymc
