"""Grimes & Ford eq. 2 over columns by numpy: the vectorised Newton that the batch is measured against.

Usage: python3 batch_numpy.py FOLDER TOLERANCE ROUNDS

Reads offsets.u32, gaps.f64 and changed.u8 (little-endian) from FOLDER, writes
rates.f64 there, and prints one line of JSON. Done as well as numpy allows:
only changed gaps, one exponential for the function and its derivative, sums by
reduceat, pages that have converged leave, and pages in chunks that stay in
cache (the best of four sizes, found while warming up). float64, one thread.
"""

import json
import os
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np


def starts_of(counts):
    starts = np.zeros(len(counts), np.int64)
    np.cumsum(counts[:-1], out=starts[1:])
    return starts


def solve(gaps, changed, offsets, tolerance):
    """The rates of one chunk of pages, each with at least one observation."""
    first = offsets[:-1]
    pages = len(first)
    counts = np.add.reduceat(changed, first, dtype=np.int64)
    unchanged = np.add.reduceat(np.where(changed, 0.0, gaps), first)
    rates = np.empty(pages)
    live = np.arange(pages)
    times = gaps[changed]
    none = counts == 0
    always = unchanged == 0.0
    if none.any() or always.any():
        rates[none] = 1.0 / unchanged[none]
        rates[always] = 1.0 / np.minimum.reduceat(gaps, first)[always]
        keep = ~(none | always)
        times = times[np.repeat(keep, counts)]
        counts, unchanged, live = counts[keep], unchanged[keep], live[keep]
    if len(live) == 0:
        return rates, 0
    starts = starts_of(counts)
    total = np.add.reduceat(times, starts)
    rate = np.log1p(total / unchanged) * counts / total
    exponentials = 0
    while True:
        exponentials += len(times)
        work = np.repeat(rate, counts)
        work *= times
        np.expm1(work, out=work)
        terms = np.divide(times, work)
        value = np.add.reduceat(terms, starts)
        np.add(times, terms, out=work)
        work *= terms
        slope = np.add.reduceat(work, starts)
        step = (value - unchanged) / slope
        rate = rate + step
        active = np.abs(step) > tolerance * rate
        left = np.count_nonzero(active)
        if left == 0:
            rates[live] = rate
            return rates, exponentials
        if left < 0.9 * len(rate):
            rates[live] = rate
            times = times[np.repeat(active, counts)]
            counts, unchanged = counts[active], unchanged[active]
            rate, live = rate[active], live[active]
            starts = starts_of(counts)


def run(columns, tolerance, chunk):
    gaps, changed, offsets = columns
    pages = len(offsets) - 1
    rates = np.empty(pages)
    exponentials = 0
    for begin in range(0, pages, chunk):
        end = min(pages, begin + chunk)
        part = offsets[begin : end + 1]
        inside = slice(part[0], part[-1])
        rates[begin:end], cost = solve(gaps[inside], changed[inside], part - part[0], tolerance)
        exponentials += cost
    return rates, exponentials


def timed(columns, tolerance, chunk):
    begin = time.perf_counter()
    result = run(columns, tolerance, chunk)
    return time.perf_counter() - begin, result


def main():
    folder, tolerance, rounds = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    gaps = np.fromfile(os.path.join(folder, "gaps.f64"), "<f8")
    changed = np.fromfile(os.path.join(folder, "changed.u8"), np.uint8).view(np.bool_)
    offsets = np.fromfile(os.path.join(folder, "offsets.u32"), "<u4").astype(np.int64)
    columns = (gaps, changed, offsets)
    sizes = {size: timed(columns, tolerance, size)[0] for size in (1000, 2000, 4000, 16000)}
    chunk = min(sizes, key=sizes.get)
    results = [timed(columns, tolerance, chunk) for _ in range(rounds)]
    seconds, (rates, exponentials) = min(results, key=lambda result: result[0])
    rates.astype("<f8").tofile(os.path.join(folder, "rates.f64"))
    print(
        json.dumps(
            {
                "numpy": np.__version__,
                "chunk": chunk,
                "seconds": min(seconds, sizes[chunk]),
                "rounds": exponentials / max(1, int(changed.sum())),
            }
        )
    )


main()
