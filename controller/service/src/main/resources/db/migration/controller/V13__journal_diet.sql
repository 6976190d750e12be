-- SPDX-License-Identifier: Apache-2.0

-- The journal and the windows are kept by months (UTC): what is old enough is dropped as a whole. A decision is kept as what it
-- changes of the state before it, with a whole state now and then; a window is kept once, and its event names it.
DROP TRIGGER journal_append_only ON journal;
ALTER TABLE journal RENAME TO journal_before_13;
ALTER TABLE journal_before_13
    ALTER COLUMN decided DROP NOT NULL,
    ADD COLUMN nanos smallint,
    ADD COLUMN asked_ppm integer,
    ADD COLUMN in_force_ppm integer,
    DROP CONSTRAINT journal_pkey,
    ADD PRIMARY KEY (run_id, sequence, at);

CREATE TABLE journal (
    run_id       text NOT NULL REFERENCES run (id),
    sequence     bigint NOT NULL,
    at           timestamptz NOT NULL,
    phase        text NOT NULL,
    notable      boolean NOT NULL,
    -- The exact instant that decide was given, in entries of an older version.
    decided      text,
    -- {"kind": "VerdictArrived", "window": {"sequence": 7, "startedAt": "..."}}: the verdict is in judged_window.
    event        jsonb NOT NULL,
    -- {"state": ..., "commands": ...}, or with "patch" instead of "state": a merge patch (RFC 7396) of the state before; or with
    -- "delta": such a patch, in which the instant of the decision is written "$at".
    decision     jsonb NOT NULL,
    -- What the exact instant has beyond the microseconds of "at".
    nanos        smallint,
    -- The share that is asked for after it; null in entries of an older version.
    asked_ppm    integer,
    -- The share that was in force at the end of its window; null without one.
    in_force_ppm integer,
    PRIMARY KEY (run_id, sequence, at)
) PARTITION BY RANGE (at);

ALTER TABLE judged_window RENAME TO judged_window_before_13;
ALTER TABLE judged_window_before_13
    DROP CONSTRAINT judged_window_pkey,
    ADD PRIMARY KEY (run_id, sequence, started_at);

CREATE TABLE judged_window (
    run_id     text NOT NULL REFERENCES run (id),
    sequence   bigint NOT NULL,
    started_at timestamptz NOT NULL,
    phase      text NOT NULL,
    judgement  text NOT NULL,
    asked_ppm  integer NOT NULL,
    content    jsonb NOT NULL,
    PRIMARY KEY (run_id, sequence, started_at)
) PARTITION BY RANGE (started_at);

-- For times of which nobody made a partition: a clock that is far off must not end a run.
CREATE TABLE journal_other PARTITION OF journal DEFAULT;
CREATE TABLE judged_window_other PARTITION OF judged_window DEFAULT;

CREATE FUNCTION month_of(moment timestamptz, later integer) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT (date_trunc('month', moment AT TIME ZONE 'UTC') + later * interval '1 month') AT TIME ZONE 'UTC'
$$;

-- The partitions of a table and when their times end; null for the one of all other times.
CREATE FUNCTION partitions_of(parent text) RETURNS TABLE (partition text, ends_at timestamptz) LANGUAGE sql STABLE AS $$
    SELECT relname::text,
        CAST((regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'TO \(''([^'']+)''\)'))[1] AS timestamptz)
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass(parent)
$$;

-- Adds the partition of a month, unless there is one of it or of a later one.
CREATE FUNCTION add_month(parent text, month timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM partitions_of(parent) WHERE ends_at > month) THEN
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
            parent || to_char(month AT TIME ZONE 'UTC', '"_"YYYY"_"MM'), parent, month, month_of(month, 1));
    END IF;
END
$$;

-- What there was before becomes the partition of all time up to the end of its last month.
CREATE FUNCTION take_before_13(parent text, moment text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    first timestamptz := month_of(now(), 0);
    newest timestamptz;
BEGIN
    EXECUTE format('SELECT max(%I) FROM %I', moment, parent || '_before_13') INTO newest;
    IF newest IS NULL THEN
        EXECUTE format('DROP TABLE %I', parent || '_before_13');
    ELSE
        first := month_of(greatest(now(), newest), 1);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', parent,
            parent || '_before_13', first);
    END IF;
    FOR later IN 0..3 LOOP
        PERFORM add_month(parent, month_of(first, later));
    END LOOP;
END
$$;

SELECT take_before_13('journal', 'at');
SELECT take_before_13('judged_window', 'started_at');
DROP FUNCTION take_before_13;

CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE ON journal
    FOR EACH ROW EXECUTE FUNCTION journal_is_append_only();
