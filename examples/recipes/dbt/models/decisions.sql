{{ config(materialized="table") }}
select sex, approved from {{ ref("applications") }}
