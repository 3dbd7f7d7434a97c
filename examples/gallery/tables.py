"""Writes one simulated table of the gallery into the current folder, NAME.csv, and NAME-new.csv, a
tenth as many rows to check a fit on: the same bytes on every machine, with nothing but Python.

    tables.py clicks|claims|pumps|rides [ROWS]
"""
import csv
import math
import random
import sys


def clicks(rng, rows):
    """Banners shown: whether each was clicked. 200 campaigns, a few shown often and many seldom."""
    yield "campaign", "device", "place", "clicked"
    usual = [rng.gauss(0, 0.5) for _ in range(200)]
    for _ in range(rows):
        campaign = int(200 * rng.random() ** 3)
        device, place = rng.choice(["desktop", "phone"]), rng.randint(1, 8)
        log_odds = -1.6 - 0.15 * place + 0.3 * (device == "phone") + usual[campaign]
        clicked = int(rng.random() < 1 / (1 + math.exp(-log_odds)))
        yield f"c{campaign + 1:03}", device, place, clicked


def poisson(rng, mean):
    """Events in a unit of time, one after another."""
    count, left = 0, rng.expovariate(1)
    while left < mean:
        count, left = count + 1, left + rng.expovariate(1)
    return count


def claims(rng, rows):
    """Policies insured for some years: their claims. Drivers differ by a gamma of shape 1.2."""
    yield "area", "age", "years", "log_years", "claims"
    for _ in range(rows):
        area, age = rng.choice(["country", "town"]), rng.randint(18, 80)
        years = round(rng.uniform(0.25, 4), 2)
        rate = math.exp(-1.3 + 0.4 * (area == "town") - 0.012 * (age - 45))
        driver = rng.gammavariate(1.2, 1 / 1.2)
        yield area, age, years, math.log(years), poisson(rng, years * rate * driver)


def pumps(rng, rows):
    """Pumps watched until they break, or until the study ends (censored = 1)."""
    yield "seal", "load", "weeks", "censored"
    for _ in range(rows):
        seal, load = rng.choice(["rubber", "steel"]), rng.randint(40, 100)
        scale = math.exp(4.6 - 0.012 * (load - 70) + 0.5 * (seal == "steel"))
        life, watched = rng.weibullvariate(scale, 1.6), rng.uniform(20, 150)
        yield seal, load, round(max(min(life, watched), 0.1), 1), int(life > watched)


def rides(rng, rows):
    """Fares of rides; the least is 2.50. Of long ones more often the decimal point was lost."""
    yield "km", "minutes", "fare"
    for _ in range(rows):
        km = round(rng.gammavariate(2, 3) + 0.5, 1)
        minutes = round(km * rng.uniform(1.5, 4) + 2, 1)
        noise = 0.8 * rng.gauss(0, 1) / math.sqrt(rng.gammavariate(1.5, 2) / 3)  # t, 3 degrees
        fare = max(2.5 + 1.1 * km + 0.35 * minutes + noise, 2.5)
        if rng.random() < 0.0005 * km:
            fare *= 10
        yield km, minutes, round(fare, 2)


TABLES = {"clicks": (clicks, 60000), "claims": (claims, 40000), "pumps": (pumps, 20000),
          "rides": (rides, 30000)}


def write(name, header, rows):
    with open(name, "w", newline="", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def main():
    name = sys.argv[1]
    make, usual = TABLES[name]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else usual
    header, *rows = make(random.Random(f"{name} 1"), count + count // 10)
    write(f"{name}.csv", header, rows[:count])
    write(f"{name}-new.csv", header, rows[count:])


main()
