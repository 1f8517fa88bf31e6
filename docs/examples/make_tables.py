"""Make the invented tables of cases that the documents import: `python docs/examples/make_tables.py`."""

import csv
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent


def main() -> None:
    random = np.random.default_rng(1996)
    cars = [("size", "doors", "power", "age", "km", "price")]
    for _ in range(400):
        size = random.choice(["small", "medium", "large"], p=[0.4, 0.4, 0.2])
        power = int(random.normal({"small": 60, "medium": 90, "large": 130}[size], 12))
        age = round(random.exponential(5), 1)
        km = int(age * random.normal(14_000, 3_000)) if age else 0
        price = (150 * power + 3_000) * 0.86**age * np.exp(random.normal(0, 0.1))
        cars.append((size, int(random.choice([3, 5])), power, age, abs(km), round(price)))
    sales = [("time", "weekday", "temperature", "sold")]
    for day in range(400):
        temperature = 12 + 10 * np.sin(2 * np.pi * day / 365) + random.normal(0, 3)
        weekday = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"][day % 7]
        sold = 40 + 3 * temperature + 25 * (weekday in ("Sa", "Su")) + random.normal(0, 8)
        sales.append((f"{2022 + day / 365:.4f}", weekday, round(temperature, 1), max(0, round(sold))))
    for name, rows in (("cars", cars), ("sales", sales)):
        with (FOLDER / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
