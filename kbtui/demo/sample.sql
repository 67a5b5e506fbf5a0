-- Tables of the sample database, and where the lockers stand.
create table sites (
    site_id integer primary key, name text not null, city text not null, country text not null
);
create table lockers (
    locker_id text primary key, site_id integer not null references sites(site_id),
    doors integer not null, firmware text not null, installed_on date not null
);
create table customers (
    customer_id integer primary key, name text not null, kind text not null check (kind in ('private', 'business'))
);
create table parcels (
    parcel_id integer primary key, locker_id text not null references lockers(locker_id),
    customer_id integer not null references customers(customer_id), size text not null check (size in ('S', 'M', 'L')),
    dropped_off_on date not null, picked_up_on date
);
create table charges (
    charge_id integer primary key, parcel_id integer not null references parcels(parcel_id),
    kind text not null check (kind in ('base', 'storage', 'refund')), amount numeric not null, booked_on date not null
);
create table incidents (
    incident_id integer primary key, locker_id text references lockers(locker_id), code text not null,
    opened_on date not null, minutes integer not null
);
insert into sites values
    (1, 'Central Station', 'Malmö', 'Sweden'),
    (2, 'City Library', 'Gothenburg', 'Sweden'),
    (3, 'North Station', 'Luleå', 'Sweden'),
    (4, 'Harbour Terminal', 'Copenhagen', 'Denmark'),
    (5, 'Old Market', 'Aarhus', 'Denmark'),
    (6, 'Opera House', 'Oslo', 'Norway'),
    (7, '台北车站', 'Taipei', 'Taiwan'),
    (8, '板桥站', 'Taipei', 'Taiwan');
