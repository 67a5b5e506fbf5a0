-- The nightly comparison of ADR-9: charges against parcels, reported above 10 euros.
select c.day, sum(c.amount) as charged, sum(p.price) as expected
from charges c
join parcels p on p.day = c.day
group by c.day
having abs(sum(c.amount) - sum(p.price)) > 10;
