-- depends_on: {{ ref("decisions_audit") }}
select sex from {{ ref("decisions") }} where approved = 'yes'
