CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40), city VARCHAR(40));
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, total DECIMAL(8, 2), placed TIMESTAMP, note VARCHAR(40));
INSERT INTO customers VALUES (1, 'Ada', 'Paris'), (2, 'Bo Li', 'Rome'), (3, '张伟', 'Paris');
INSERT INTO orders VALUES (1, 1, 5, '2025-01-03 10:00:00', NULL), (2, 1, 12.5, '2025-02-04 11:30:00', NULL), (3, 2, 30, '2025-06-05 12:00:00', '7'), (4, 2, 4.25, '2025-06-20 09:15:00', NULL);
