-- The model that is audited.
select sex, approved from {{ ref("applications") }}
