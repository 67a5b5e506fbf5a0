"""The log of the sensors of a nursery: one table, three readings a day and device."""

import math
import random
import sqlite3
from datetime import datetime, timedelta

DEVICES = [  # device, area, mean temperature, swing, humidity, CO2, light, firmware
    ("GH-01", "Tomato Hall", 23.5, 5.0, 68, 720, 21000, "2.4.1"),
    ("GH-02", "Tomato Hall", 24.1, 5.2, 66, 735, 22500, "2.4.1"),
    ("GH-03", "Herb Tunnel", 20.2, 4.1, 61, 560, 17500, "2.4.1"),
    ("GH-04", "Seedling Room", 22.0, 1.5, 78, 640, 9000, "2.3.7"),
    ("CS-01", "Cold Store", 4.2, 0.7, 84, 430, 60, "2.3.7"),
    ("CS-02", "Cold Store", 3.8, 0.8, 86, 425, 55, "2.2.0"),
    ("PK-01", "Packing", 18.4, 2.2, 52, 610, 450, "2.4.1"),
    ("OUT-1", "Outdoor", 13.5, 6.5, 74, 418, 38000, "2.2.0"),
]
LIGHT = {6: 0.12, 14: 1.0, 22: 0.01}


def greenhouse_log(con: sqlite3.Connection) -> None:
    rng = random.Random(4102)
    con.execute(
        "CREATE TABLE sensor_log (logged_at TEXT, dev TEXT, area TEXT, temp_c REAL, rh_pct REAL, co2_ppm INTEGER,"
        " lux INTEGER, soil_moist REAL, batt_v REAL, door_open INTEGER, alarm TEXT, rssi INTEGER, fw TEXT)"
    )
    start, rows = datetime(2026, 6, 1, 6), []
    battery = {d[0]: 3.02 + rng.random() * 0.08 for d in DEVICES}
    for step in range(172 * 3):
        when = start + timedelta(hours=8 * step)
        season = 6.5 * math.cos((when.timetuple().tm_yday - 200) / 365 * 2 * math.pi)
        front = rng.gauss(0, 1.2)
        for dev, area, mean, swing, humid, co2, lux, firmware in DEVICES:
            battery[dev] -= 0.0004 + rng.random() * 0.0005
            if battery[dev] < 2.75:
                battery[dev] = 3.08
            if rng.random() < (0.05 if dev == "OUT-1" else 0.012):
                continue
            if dev == "PK-01" and datetime(2026, 8, 8) < when < datetime(2026, 8, 12):
                continue
            outside = 1.0 if area == "Outdoor" else 0.05 if area == "Cold Store" else 0.3
            day = {6: -0.8, 14: 1.0, 22: -0.2}[when.hour]
            temp = round(mean + day * swing + (season + front) * outside + rng.gauss(0, 0.5), 1)
            door = int(area in ("Cold Store", "Packing") and rng.random() < (0.11 if dev == "CS-02" else 0.06))
            temp = round(temp + 3.4 * door, 1) if area == "Cold Store" else temp
            rh = round(min(99.0, humid - day * 6 + rng.gauss(0, 3)), 1)
            alarm = None
            if (area == "Cold Store" and temp > 6.5) or (area != "Outdoor" and temp > 31.5):
                alarm = "TEMP_HI"
            elif area == "Outdoor" and temp < 5:
                alarm = "FROST"
            elif rh > 93 and area != "Outdoor":
                alarm = "RH_HI"
            elif battery[dev] < 2.77:
                alarm = "LOW_BATT"
            faulty = rng.random() < 0.006
            rows.append(
                (
                    when.strftime("%Y-%m-%d %H:%M:%S"),
                    dev,
                    area,
                    None if faulty else temp,
                    None if faulty else rh,
                    round(co2 + rng.gauss(0, 30) - day * 40),
                    round(lux * LIGHT[when.hour] * rng.uniform(0.5, 1.1)),
                    round(rng.uniform(22, 48), 1) if area in ("Tomato Hall", "Herb Tunnel", "Seedling Room") else None,
                    round(battery[dev], 2),
                    door,
                    alarm,
                    rng.randint(-94, -51),
                    firmware,
                )
            )
    con.executemany(f"INSERT INTO sensor_log VALUES ({','.join('?' * 13)})", rows)
