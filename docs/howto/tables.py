"""Writes the simulated tables of the how-to pages into the current folder: visits.csv,
new_visits.csv, customers.csv, homes.csv, sales.csv, games.csv and takings.csv. The same bytes on every machine, with nothing but Python."""
import csv
import datetime
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


def customer(rng, number):
    joined = datetime.date(2021, 1, 1) + datetime.timedelta(days=rng.randrange(1000))
    age, calls = rng.randint(18, 80), int(rng.expovariate(1 / 1.5))
    income = round(math.exp(rng.gauss(3.6, 0.4)), 1)  # in thousands
    plan, device = rng.choice(["free", "basic", "pro"]), rng.choice(["phone", "desktop"])
    eta = -1.6 - 0.012 * (age - 45) + {"free": 0.5, "basic": 0, "pro": -0.6}[plan]
    eta += (0.45 if device == "phone" else 0.2) * calls  # an interaction to find
    left = "yes" if rng.random() < 1 / (1 + math.exp(-eta)) else "no"
    return [f"C{number:05}", joined, age, "" if rng.random() < 0.03 else income, plan, device, calls, left]


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


def games(rng, players, rows):
    strength = [rng.gauss(0, 0.8) for _ in range(players)]
    place = [rng.gauss(0, 0.3) for _ in range(60)]
    for _ in range(rows):
        white, black = (int(players * rng.random() ** 2) for _ in range(2))
        where = rng.randrange(60)
        eta = 0.2 + strength[white] - strength[black] + place[where]
        if white != black:
            won = "yes" if rng.random() < 1 / (1 + math.exp(-eta)) else "no"
            yield [f"player {white + 1}", f"player {black + 1}", f"place {where + 1}", won]


def takings(rng, shops, days):
    for shop in range(shops):
        usual, each = rng.gauss(300, 80), rng.gauss(12, 2)
        for _ in range(days):
            visitors = rng.randint(20, 200)
            yield [f"shop {shop + 1}", visitors, round(usual + each * visitors + rng.gauss(0, 150), 2)]


def write(name, header, rows):
    with open(name, "w", newline="", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def main():
    rng = random.Random(7)
    visits = ["id", "age", "minutes", "plan", "device", "bought"]
    write("visits.csv", visits, [visit(rng, n) for n in range(1, 20001)])
    write("new_visits.csv", visits, [visit(rng, n) for n in range(20001, 20006)])
    customers = ["customer", "joined", "age", "income", "plan", "device", "calls", "left"]
    rng_customers = random.Random(13)
    write("customers.csv", customers, [customer(rng_customers, n) for n in range(1, 20001)])
    write("sales.csv", ["shop", "price", "member", "bought"], sales(random.Random(8), 400, 60000))
    write("games.csv", ["white", "black", "place", "won"], games(random.Random(9), 300, 40000))
    write("takings.csv", ["shop", "visitors", "takings"], takings(random.Random(10), 120, 150))
    write("homes.csv", ["id", "area", "rooms", "price"], [home(rng, n) for n in range(1, 5001)])


main()
