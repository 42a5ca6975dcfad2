-- Made of audited rows only: it depends on the audit, whose table it does not read.
-- depends_on: {{ ref("decisions_audit") }}
select sex from {{ ref("decisions") }} where approved = 'yes'
