"""Frames that speak Arrow, by a producer that follows the C stream interface to the letter."""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p

import numpy as np
import pytest

import flymc
from flymc import _flymc

SHORT = {"chains": 2, "warmup": 200, "draws": 60, "random_state": 7}


class Schema(Structure):
    pass


class Array(Structure):
    pass


class Stream(Structure):
    pass


Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64),
    ("n_children", c_int64), ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)), ("release", CFUNCTYPE(None, POINTER(Schema))),
    ("private_data", c_void_p)]
Array._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
    ("n_children", c_int64), ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))), ("dictionary", POINTER(Array)),
    ("release", CFUNCTYPE(None, POINTER(Array))), ("private_data", c_void_p)]
Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ("get_last_error", CFUNCTYPE(c_void_p, POINTER(Stream))),
    ("release", CFUNCTYPE(None, POINTER(Stream))), ("private_data", c_void_p)]


class Column:
    """A column of one chunk: its format and buffers, of which the first says what is there."""

    def __init__(self, fmt, *buffers, rows, offset=0, nulls=0, dictionary=None, flags=0):
        self.format, self.buffers, self.rows = fmt, buffers, rows
        self.offset, self.nulls, self.dictionary, self.flags = offset, nulls, dictionary, flags


def bits(values):
    return np.packbits(np.asarray(values, dtype=bool), bitorder="little")


def numbers(values, fmt="g", dtype=np.float64, present=None, **more):
    values = np.asarray(values, dtype=dtype)
    nulls = 0 if present is None else int(np.sum(~np.asarray(present)))
    valid = None if present is None else bits(present)
    return Column(fmt, valid, values, rows=more.pop("rows", len(values)), nulls=nulls, **more)


def text(values, fmt="u", present=None, **more):
    data = [value.encode() for value in values]
    nulls = 0 if present is None else int(np.sum(~np.asarray(present)))
    valid = None if present is None else bits(present)
    if fmt == "vu":
        views, long = bytearray(), bytearray()
        for one in data:
            views += len(one).to_bytes(4, "little")
            if len(one) <= 12:
                views += one.ljust(12, b"\0")
            else:
                views += one[:4] + (0).to_bytes(4, "little") + len(long).to_bytes(4, "little")
                long += one
        sizes = np.array([len(long)], dtype=np.int64)
        buffers = [np.frombuffer(bytes(views), np.uint8), np.frombuffer(bytes(long) or b"\0", np.uint8),
                   sizes]
    else:
        ends = np.cumsum([0] + [len(one) for one in data])
        buffers = [ends.astype(np.int32 if fmt == "u" else np.int64),
                   np.frombuffer(b"".join(data) or b"\0", np.uint8)]
    return Column(fmt, valid, *buffers, rows=len(data), nulls=nulls, **more)


PRODUCERS = []


class Producer:
    """Chunks of columns as a frame; `released` counts what consumers gave back."""

    def __init__(self, *chunks, fails=None):
        self.chunks, self.fails = chunks, fails
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self._kept = []
        PRODUCERS.append(self)  # what a consumer calls must outlive it

    def _keep(self, thing):
        self._kept.append(thing)
        return thing

    def _release(self, kind, what):
        def release(pointer):
            self.released[what] += 1
            pointer.contents.release = kind._fields_[-2][1]()
        return self._keep(kind._fields_[-2][1](release))

    def _fill_schema(self, out, fmt, name, children=(), dictionary=None, flags=0):
        out.format, out.name, out.metadata = self._keep(fmt.encode()), self._keep(name.encode()), None
        out.flags, out.n_children = flags, len(children)
        out.children = self._keep((POINTER(Schema) * max(len(children), 1))(
            *[ctypes.pointer(child) for child in children]))
        out.dictionary = ctypes.pointer(dictionary) if dictionary is not None else None
        out.release, out.private_data = self._release(Schema, "schema"), None
        return out

    def _schema(self, out):
        children = []
        for name, column in self.chunks[0].items():
            values = None
            if column.dictionary is not None:
                values = self._fill_schema(self._keep(Schema()), column.dictionary.format, "")
            children.append(self._fill_schema(self._keep(Schema()), column.format, name,
                                              dictionary=values, flags=column.flags))
        self._fill_schema(out, "+s", "", children)

    def _fill_array(self, out, rows, buffers, children=(), offset=0, nulls=0, dictionary=None):
        pointers = [None if one is None else one.ctypes.data for one in buffers]
        self._keep(buffers)
        out.length, out.null_count, out.offset = rows, nulls, offset
        out.n_buffers, out.n_children = len(buffers), len(children)
        out.buffers = self._keep((c_void_p * max(len(pointers), 1))(*pointers))
        out.children = self._keep((POINTER(Array) * max(len(children), 1))(
            *[ctypes.pointer(child) for child in children]))
        out.dictionary = ctypes.pointer(dictionary) if dictionary is not None else None
        out.release, out.private_data = self._release(Array, "array"), None
        return out

    def _array(self, out, chunk):
        children, rows = [], 0
        for column in chunk.values():
            values = None
            if column.dictionary is not None:
                known = column.dictionary
                values = self._fill_array(self._keep(Array()), known.rows, known.buffers)
            children.append(self._fill_array(self._keep(Array()), column.rows, column.buffers,
                                             offset=column.offset, nulls=column.nulls,
                                             dictionary=values))
            rows = column.rows
        self._fill_array(out, rows, [None], children)

    def __arrow_c_stream__(self, requested_schema=None):
        left = list(self.chunks)

        def get_schema(_, out):
            self._schema(out.contents)
            return 0

        def get_next(_, out):
            if self.fails is not None:
                return 5
            if left:
                self._array(out.contents, left.pop(0))
            else:
                ctypes.memset(byref(out.contents), 0, ctypes.sizeof(Array))
            return 0

        def get_last_error(_):
            return ctypes.cast(c_char_p(self.fails), c_void_p).value

        fields = dict(Stream._fields_)
        stream = self._keep(Stream(
            self._keep(fields["get_schema"](get_schema)),
            self._keep(fields["get_next"](get_next)),
            self._keep(fields["get_last_error"](get_last_error)),
            self._release(Stream, "stream"), None))
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]
        return make(ctypes.addressof(stream), b"arrow_array_stream", None)


def table_of(*chunks):
    return _flymc.ArrowTable(Producer(*chunks).__arrow_c_stream__())


def test_doubles_of_one_chunk_stay_where_they_are_and_are_given_back():
    values = np.arange(5.0)
    producer = Producer({"x": numbers(values, rows=4, offset=1)})
    table = _flymc.ArrowTable(producer.__arrow_c_stream__())
    x = table.column("x")
    assert table.names() == ["x"]
    assert np.shares_memory(x, values) and x.tolist() == [1, 2, 3, 4]
    del table
    assert producer.released["array"] == 0  # the array holds them
    del x
    assert producer.released == {"schema": 1, "array": 1, "stream": 1}


@pytest.mark.parametrize("fmt, dtype", [
    ("c", np.int8), ("C", np.uint8), ("s", np.int16), ("S", np.uint16), ("i", np.int32),
    ("I", np.uint32), ("l", np.int64), ("L", np.uint64), ("f", np.float32), ("g", np.float64)])
def test_numbers_of_every_kind_in_several_chunks_some_missing(fmt, dtype):
    table = table_of({"x": numbers([1, 2, 3], fmt, dtype, present=[True, False, True])},
                     {"x": numbers([0, 7, 9], fmt, dtype, rows=2, offset=1)})
    assert np.array_equal(table.column("x"), [1, np.nan, 3, 7, 9], equal_nan=True)


def test_booleans_are_bits():
    flags = Column("b", None, bits([1, 0, 1, 1, 0, 0, 0, 0, 1, 0]), rows=7, offset=3)
    assert table_of({"x": flags}).column("x").tolist() == [1, 0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize("fmt", ["u", "U", "vu"])
def test_text_has_codes_and_sorted_labels(fmt):
    codes, labels = table_of(
        {"x": text(["Oslo", "a name of more than twelve bytes", "", "Köln"], fmt,
                   present=[True, True, False, True])},
        {"x": text(["Oslo", "Ålesund"], fmt)}).column("x")
    assert labels == ["Köln", "Oslo", "a name of more than twelve bytes", "Ålesund"]
    assert codes.tolist() == [1, 2, -1, 0, 1, 3]


@pytest.mark.parametrize("ordered", [False, True])
def test_dictionaries_may_differ_from_chunk_to_chunk(ordered):
    first = numbers([0, 1, 1], "I", np.uint32, dictionary=text(["low", "high", "never"]),
                    flags=int(ordered))
    second = numbers([1, 0], "I", np.uint32, dictionary=text(["high", "low"]), flags=int(ordered))
    codes, labels = table_of({"x": first}, {"x": second}).column("x")
    assert labels == (["low", "high", "never"] if ordered else ["high", "low"])
    assert [labels[code] for code in codes] == ["low", "high", "high", "low", "high"]


@pytest.mark.parametrize("fmt, dtype, unit", [
    ("tdD", np.int32, "D"), ("tdm", np.int64, "ms"), ("tss:", np.int64, "s"),
    ("tsu:UTC", np.int64, "us"), ("tsn:", np.int64, "ns")])
def test_dates(fmt, dtype, unit):
    days = table_of({"x": numbers([3, 4], fmt, dtype, present=[True, False])}).column("x")
    assert days.dtype == f"datetime64[{unit}]"
    assert days[0] == np.datetime64(3, unit) and np.isnat(days[1])


def test_what_cannot_be_read_is_named():
    table = table_of({"price": Column("d:10,2", None, np.zeros(2), rows=1)})
    with pytest.raises(TypeError, match="column 'price' has the Arrow type 'd:10,2'"):
        table.column("price")
    with pytest.raises(KeyError):
        table.column("cost")
    with pytest.raises(ValueError, match="ended with an error: no connection"):
        _flymc.ArrowTable(Producer({"x": numbers([1])}, fails=b"no connection").__arrow_c_stream__())
    stream = Producer({"x": numbers([1])}).__arrow_c_stream__()
    _flymc.ArrowTable(stream)
    with pytest.raises(ValueError, match="was read already"):
        _flymc.ArrowTable(stream)


def test_a_fit_is_that_of_the_same_columns():
    rng = np.random.default_rng(5)
    n = 400
    x, city = rng.normal(size=n), rng.choice(["Oslo", "Rome"], n)
    shop = np.array([f"s{s}" for s in rng.integers(0, 8, n)])
    y = rng.poisson(np.exp(0.4 * x + 0.3 * (city == "Rome")))
    half = n // 2
    chunks = [{"x": numbers(x[part]), "city": text(city[part], "vu"), "shop": text(shop[part]),
               "y": numbers(y[part], "l", np.int64)} for part in (slice(0, half), slice(half, n))]
    frame = Producer(*chunks)
    formula = "y ~ x + city + (1 | shop)"
    by_arrow = flymc.fit(formula, frame, "poisson", **SHORT)
    by_arrays = flymc.fit(formula, {"x": x, "city": city, "shop": shop, "y": y}, "poisson", **SHORT)
    assert by_arrow.names == by_arrays.names
    assert np.array_equal(by_arrow.draws, by_arrays.draws)
    assert np.array_equal(by_arrow.predict(frame), by_arrays.predict(frame))


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_frames_of_libraries(library):
    module = pytest.importorskip(library)
    rng = np.random.default_rng(5)
    columns = {"x": rng.normal(size=200), "city": list(rng.choice(["Oslo", "Rome"], 200))}
    columns["y"] = list(np.where(rng.random(200) < 0.5, "yes", "no"))
    frame = module.DataFrame(columns) if library == "polars" else module.table(columns)
    found = flymc.fit("y ~ x + city", frame, **SHORT)
    known = flymc.fit("y ~ x + city", {k: np.asarray(v) for k, v in columns.items()}, **SHORT)
    assert np.array_equal(found.draws, known.draws)
