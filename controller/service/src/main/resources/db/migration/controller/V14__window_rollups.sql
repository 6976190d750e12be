-- SPDX-License-Identifier: Apache-2.0

-- What the windows of one stretch of time come to: the length of a run's windows times 256 times two to the power of the level, from a
-- multiple of it since 1970 on. Charts and reports of long runs are made from these. Only stretches are in it that no window comes to
-- any more.
CREATE TABLE window_rollup (
    run_id        text NOT NULL REFERENCES run (id),
    level         smallint NOT NULL,
    starts_at     timestamptz NOT NULL,
    ends_at       timestamptz NOT NULL,
    last_sequence bigint NOT NULL,
    stretch       jsonb NOT NULL,
    tally         jsonb NOT NULL,
    PRIMARY KEY (run_id, level, starts_at)
) PARTITION BY RANGE (starts_at);

CREATE TABLE window_rollup_other PARTITION OF window_rollup DEFAULT;

DO $$
BEGIN
    FOR later IN 0..3 LOOP
        PERFORM add_month('window_rollup', month_of(now(), later));
    END LOOP;
END
$$;
