"""Writes the simulated tables of the how-to pages into the current folder: visits.csv,
new_visits.csv, homes.csv and sales.csv. The same bytes on every machine, with nothing but Python."""
import csv
import math
import random


def visit(rng, number):
    age = rng.randint(18, 80)
    minutes = round(rng.expovariate(1 / 12), 1)
    plan = rng.choice(["free", "basic", "pro"])
    device = rng.choice(["phone", "desktop"])
    eta = -2.0 + 0.02 * (age - 45) + 0.05 * minutes + {"free": 0, "basic": 0.4, "pro": 1.0}[plan]
    eta += 0.03 * minutes if device == "desktop" else 0.0  # an interaction to find
    bought = "yes" if rng.random() < 1 / (1 + math.exp(-eta)) else "no"
    return [number, age, minutes, plan, device, bought]


def home(rng, number):
    area, rooms = round(rng.uniform(30, 200), 1), rng.randint(1, 7)
    price = 40 + 2.5 * area + 8 * rooms + rng.gauss(0, 12)
    if rng.random() < 0.03:
        price *= 10  # somebody typed a digit too many
    return [number, area, rooms, round(price, 1)]


def sales(rng, shops, rows):
    usual = [rng.gauss(0, 0.5) for _ in range(shops)]
    for _ in range(rows):
        shop = int(shops * rng.random() ** 2)  # some have many visitors, some few
        price, member = round(rng.uniform(5, 50), 2), rng.randint(0, 1)
        eta = 0.4 - 0.03 * price + 0.6 * member + usual[shop]
        bought = "yes" if rng.random() < 1 / (1 + math.exp(-eta)) else "no"
        yield [f"shop {shop + 1}", price, member, bought]


def write(name, header, rows):
    with open(name, "w", newline="", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def main():
    rng = random.Random(7)
    visits = ["id", "age", "minutes", "plan", "device", "bought"]
    write("visits.csv", visits, [visit(rng, n) for n in range(1, 20001)])
    write("new_visits.csv", visits, [visit(rng, n) for n in range(20001, 20006)])
    write("sales.csv", ["shop", "price", "member", "bought"], sales(random.Random(8), 400, 60000))
    write("homes.csv", ["id", "area", "rooms", "price"], [home(rng, n) for n in range(1, 5001)])


main()
