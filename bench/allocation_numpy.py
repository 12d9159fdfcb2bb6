"""Optimal-freshness visit rates by Newton's method in numpy, one thread.

The reference of bench/allocation.mjs: the same problem (1 - (1 + x) e^-x =
price D/w, visit rate D/x, spending = budget), the same tolerance on the
budget, Newton on ln(spent) against ln(price) from the price of a sample of the
pages. Inside, every page's x is kept between rounds, moved along its derivative
and polished by Newton; chunks stay in the cache. Pages close to being given up
need more steps than the rest, and get them alone.

usage: allocation_numpy.py FILE PAGES BUDGET RUNS
FILE holds PAGES change rates, then PAGES weights, as raw float64.
Prints one line of JSON.
"""

import json
import os
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

try:
    import numpy as np
except ImportError:
    print(json.dumps({"absent": "numpy is not installed for this interpreter"}))
    sys.exit(0)

CHUNK = 32768  # the fastest of 2,048 to 1,000,000 on the machine of the first measurement
TOLERANCE = 1e-12  # of the spending against the budget
SETTLED = 1e-7  # a step of x, relatively: Newton squares it, so x is then known to 1e-14


def first_guess(gain):
    s = np.sqrt(2 * gain)
    series = s * (1 + s * (1 / 3 + s * (11 / 72 + s * (43 / 540))))
    level = -np.log1p(-gain)
    tail = level + np.log1p(level + np.log1p(level))
    return np.where(gain < 0.5, series, tail)


def newton_step(x, gain):
    """One step for 1 - (1 + x) e^-x = gain."""
    small = np.exp(-x)
    return (1 - (1 + x) * small - gain) / (x * small)


def polish(x, gain, step):
    """Newton on all, then again only on those that have not settled."""
    # newton_step multiplied by e^x: ((1 - gain) e^x - 1 - x) / x, in place.
    np.exp(x, out=step)
    step *= 1 - gain
    step -= x
    step -= 1
    step /= x
    x -= step
    np.maximum(x, 1e-12, out=x)
    todo = np.flatnonzero(np.abs(step) > SETTLED * x)
    for _ in range(60):
        if todo.size == 0:
            break
        part, aim = x[todo], gain[todo]
        # In logarithms, which are nearly straight where the gain is near 1.
        step = np.where(
            aim < 0.5,
            newton_step(part, aim),
            (part - np.log1p(part) + np.log1p(-aim)) * (1 + part) / part,
        )
        part = np.maximum(part - step, part / 8)
        x[todo] = part
        todo = todo[np.abs(step) > SETTLED * part]


class Pages:
    def __init__(self, change_rates, weights):
        self.D = change_rates
        self.key = change_rates / weights
        self.x = np.zeros_like(change_rates)
        self.price = 0.0
        self.buffers = [np.empty(CHUNK) for _ in range(3)]

    def measure(self, price):
        """Spending and its slope at a price; keeps every x for the next round."""
        spent = slope = 0.0
        move = np.log(price / self.price) if self.price > 0 else None
        for i in range(0, self.D.size, CHUNK):
            D, key, x = self.D[i : i + CHUNK], self.key[i : i + CHUNK], self.x[i : i + CHUNK]
            gain, odds, work = (buffer[: x.size] for buffer in self.buffers)
            np.multiply(key, price, out=gain)
            visited = gain < 1
            np.minimum(gain, 1 - 1e-16, out=gain)
            np.subtract(1, gain, out=odds)
            np.divide(gain, odds, out=odds)
            if move is None:
                x[:] = first_guess(gain)
            else:
                # x moves by dx / d ln(price) = (1 + 1/x) gain / (1 - gain), at most by a third.
                np.divide(1, x, out=work)
                work += 1
                work *= odds
                work *= move
                work *= visited
                np.clip(work, -x / 3, x / 3, out=work)
                x += work
            polish(x, gain, work)
            inverse = np.divide(1, x, out=work)
            rate = np.multiply(D, inverse, out=gain)
            rate *= visited
            spent += rate.sum()
            # -d rate / d ln(price) = rate (1/x) (1 + 1/x) gain / (1 - gain)
            rate *= odds
            rate *= inverse
            slope -= rate.sum() + np.dot(rate, inverse)
        self.price = price
        return spent, slope

    def result(self, weights):
        """Visit rates and weighted freshness at the price last measured."""
        rates = np.empty_like(self.D)
        fresh = 0.0
        for i in range(0, self.D.size, CHUNK):
            D, x = self.D[i : i + CHUNK], self.x[i : i + CHUNK]
            visited = self.key[i : i + CHUNK] * self.price < 1
            rates[i : i + CHUNK] = np.where(visited, D / x, 0.0)
            fresh += (weights[i : i + CHUNK] * np.where(visited, -np.expm1(-x) / x, 0.0)).sum()
        return rates, fresh / weights.sum()


def settle(pages, budget, price, tolerance):
    low, high = 0.0, np.inf
    for rounds in range(1, 200):
        spent, slope = pages.measure(price)
        if abs(spent - budget) <= tolerance * budget:
            break
        low, high = (price, high) if spent > budget else (low, price)
        step = np.log(budget / spent) * spent / slope if spent > 0 and slope < 0 else np.nan
        ahead = price * np.exp(step)
        price = ahead if low < ahead < high else (high / 16 if low == 0 else np.sqrt(low * high))
    return price, spent, rounds


def allocate(change_rates, weights, budget):
    n = change_rates.size
    price = (np.sqrt(change_rates * weights).sum() / budget) ** 2 / 2
    for stride in (64, 8):
        sample = Pages(change_rates[::stride].copy(), weights[::stride].copy())
        price, _, _ = settle(sample, budget / stride, price, 1e-3)
    pages = Pages(change_rates, weights)
    price, spent, rounds = settle(pages, budget, price, TOLERANCE)
    rates, freshness = pages.result(weights)
    return rates, price, spent, freshness, rounds


def main():
    path, n, budget, runs = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    data = np.fromfile(path)
    change_rates, weights = data[:n].copy(), data[n : 2 * n].copy()
    best = np.inf
    np.seterr(all="ignore")
    for _ in range(runs):
        begun = time.perf_counter()
        rates, price, spent, freshness, rounds = allocate(change_rates, weights, budget)
        best = min(best, time.perf_counter() - begun)
    print(
        json.dumps(
            {
                "numpy": np.__version__,
                "seconds": best,
                "rounds": rounds,
                "multiplier": price,
                "spent": float(spent),
                "freshness": float(freshness),
                "total": float(rates.sum()),
            }
        )
    )


main()
