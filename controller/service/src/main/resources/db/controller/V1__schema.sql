-- SPDX-License-Identifier: Apache-2.0

-- Plans

CREATE TABLE plan (
    name            text PRIMARY KEY,
    current_version integer NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    -- Where a plan came from: 'api' or 'folder'. What the folder owns, nobody else changes.
    source          text NOT NULL DEFAULT 'api',
    -- The file in the folder.
    source_file     text
);

-- Every text that a plan ever was.
CREATE TABLE plan_version (
    plan_name  text NOT NULL REFERENCES plan (name) ON DELETE CASCADE,
    version    integer NOT NULL,
    content    jsonb NOT NULL,
    hash       text NOT NULL,
    -- YAML as its author wrote it, with comments; null of a plan that came as JSON, and of one of the plan folder.
    written    text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (plan_name, version)
);

-- Runs

-- Fences: grows with each run and each restart, and never falls.
CREATE TABLE service_epoch (
    service text PRIMARY KEY,
    epoch   bigint NOT NULL
);

-- The state of a live run is written several times a second. What never changes goes out of the row, so that the state can stay
-- in it, and pages keep room for the next version: no other table and no index is touched then.
CREATE TABLE run (
    id               text PRIMARY KEY,
    service          text NOT NULL,
    sut              text NOT NULL,
    plan_name        text NOT NULL,
    plan_hash        text NOT NULL,
    -- The plan as it was when the run was submitted: later versions do not change it.
    plan             jsonb STORAGE EXTERNAL NOT NULL,
    phase            text NOT NULL,
    outcome          text,
    stop_code        text,
    stop_reason      text,
    epoch            bigint NOT NULL,
    state            jsonb NOT NULL,
    -- The entry of the journal with which the row's state was written; the entries since then say what has changed of it. Absent:
    -- the state is the newest.
    state_sequence   bigint,
    -- What a run was when it was registered: the journal is replayed from here.
    first_state      jsonb STORAGE EXTERNAL NOT NULL,
    -- Grows with each decision; whoever updates by an old one has lost the run.
    version          bigint NOT NULL,
    -- The version at which its driver let the run go, to be taken at once. With the next decision, whoever makes it, it is an old one.
    let_go_at        bigint,
    journal_sequence bigint NOT NULL,
    submitted_at     timestamptz NOT NULL,
    finished_at      timestamptz,
    -- When Kafka took the last record that tells of the end; it is repeated until then.
    end_published_at timestamptz,
    conflict_group   text,
    cluster          text NOT NULL DEFAULT 'default',
    -- A run that waits for a second person is driven by nobody.
    awaits_approval  boolean NOT NULL DEFAULT false,
    -- Harmed requests; set when the run is over.
    harm             double precision,
    -- When a finished run's windows were read for their peaks.
    peaks_at         timestamptz,
    -- Whether a finished run still has its journal and windows: 'Kept', 'Going' from the first row on that is removed, 'Gone'.
    details          text NOT NULL DEFAULT 'Kept' CHECK (details IN ('Kept', 'Going', 'Gone')),
    -- How a finished run's traffic was restored. A column, since an index over the state would make each decision dearer.
    restore_proof    text GENERATED ALWAYS AS (state->'restored'->>'proof') STORED
) WITH (fillfactor = 50, toast_tuple_target = 4080);

-- Never two live runs on one service or in one conflict group, whatever the code believes.
CREATE UNIQUE INDEX run_live_per_service ON run (service) WHERE phase <> 'Finished';
CREATE UNIQUE INDEX run_live_per_conflict_group ON run (conflict_group) WHERE phase <> 'Finished';
CREATE INDEX run_live ON run (cluster) WHERE phase <> 'Finished';
-- Lists of runs are read in the order of an index, whatever they are filtered by.
CREATE INDEX run_newest ON run (submitted_at DESC, id DESC);
CREATE INDEX run_newest_of_service ON run (service, submitted_at DESC, id DESC);
CREATE INDEX run_newest_in_phase ON run (phase, submitted_at DESC, id DESC);
CREATE INDEX run_without_published_end ON run (id) WHERE phase = 'Finished' AND end_published_at IS NULL;
CREATE INDEX run_harm ON run (service, finished_at) WHERE harm IS NOT NULL;
CREATE INDEX run_without_peaks ON run (finished_at) WHERE phase = 'Finished' AND peaks_at IS NULL;
CREATE INDEX run_with_details ON run (finished_at) WHERE phase = 'Finished' AND details <> 'Gone';
CREATE INDEX run_contradicted ON run (service) WHERE restore_proof IN ('CONTRADICTED', 'CONTRADICTED_AFTER_EXPIRY');

-- What somebody asks of a run; the controller that drives it carries it out.
CREATE TABLE run_request (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id   text NOT NULL REFERENCES run (id),
    event    jsonb NOT NULL,
    at       timestamptz NOT NULL,
    taken_at timestamptz
);

CREATE INDEX run_request_open ON run_request (run_id) WHERE taken_at IS NULL;
CREATE INDEX run_request_of_run ON run_request (run_id);

-- Each controller counts up while it could take a run over. Whoever looks sees by its own clock whether a number moves.
CREATE TABLE controller_heartbeat (
    id    text PRIMARY KEY,
    count bigint NOT NULL
);

CREATE TABLE step (
    run_id  text NOT NULL REFERENCES run (id),
    number  integer NOT NULL,
    content jsonb NOT NULL,
    PRIMARY KEY (run_id, number)
);

-- The journal and the windows are kept by months (UTC): what is old enough is dropped as a whole. A row is written in the
-- transaction that updates its run, and runs are not deleted: a foreign key would check nothing, and lock the run's row once more.

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

-- Each decision with the inputs it was made from: what it changes of the state before it, with a whole state now and then.
CREATE TABLE journal (
    run_id       text NOT NULL,
    sequence     bigint NOT NULL,
    at           timestamptz NOT NULL,
    -- What the exact instant has beyond the microseconds of "at".
    nanos        smallint NOT NULL,
    phase        text NOT NULL,
    notable      boolean NOT NULL,
    -- The share that is asked for after it.
    asked_ppm    integer NOT NULL,
    -- The share that was in force at the end of its window; null without one.
    in_force_ppm integer,
    -- {"kind": "VerdictArrived", "window": {"sequence": 7, "startedAt": "..."}}: the verdict is in judged_window.
    event        jsonb NOT NULL,
    -- {"state": ..., "commands": ...}, or with "delta" instead of "state": a merge patch (RFC 7396) of the state before, in
    -- which the instant of the decision is written "$at".
    decision     jsonb NOT NULL,
    PRIMARY KEY (run_id, sequence, at)
) PARTITION BY RANGE (at);

-- Each window that a verdict was on, once.
CREATE TABLE judged_window (
    run_id     text NOT NULL,
    sequence   bigint NOT NULL,
    started_at timestamptz NOT NULL,
    phase      text NOT NULL,
    judgement  text NOT NULL,
    asked_ppm  integer NOT NULL,
    -- Whether the requests that broke the SLA, beyond what the peers saw, count as harmed by the test. Null of the window with
    -- which the run was over: they count.
    moved      boolean,
    content    jsonb NOT NULL,
    PRIMARY KEY (run_id, sequence, started_at)
) PARTITION BY RANGE (started_at);

-- The sums of windows: the largest value of a gauge, and the results of a rule.
CREATE TYPE gauge_sum AS (peers boolean, name text, unit text, value double precision);
CREATE TYPE rule_sum AS (name text, guard boolean, number integer, windows bigint, breached bigint, inconclusive bigint,
    baseline_windows bigint, baseline_breached bigint,
    -- Rank of the judgement, used part of the limit and sequence below zero: of two arrays the larger one is of the worse window.
    worst double precision[]);

-- Each window as a sum of one window, which is of level 0. A window that cannot be read counts as 0 windows.
CREATE VIEW window_sum AS
SELECT run_id, CAST(0 AS smallint) AS level,
    -- The beginning of the stretch of time, the beginning of the first window in it, and the end and the sequence of the last.
    started_at AS bin, started_at AS starts_at, started_at + coalesce(CAST("windowLength" AS interval), '0') AS ends_at,
    sequence, CAST(num_nonnulls(sut) AS bigint) AS windows, CAST(num_nulls(sut) AS bigint) AS unreadable,
    CAST(CAST(verdict.judgement = 'BREACHED' AS integer) AS bigint) AS breached,
    CAST(CAST(verdict.judgement = 'INCONCLUSIVE' AS integer) AS bigint) AS inconclusive,
    asked_ppm / 1e6::double precision AS asked_max, asked_ppm / 1e6::double precision AS asked_min,
    -- No share is measured without requests.
    CASE WHEN sut ->> 'shareRequests' IS DISTINCT FROM '0' THEN share END AS share_max,
    CASE WHEN sut ->> 'shareRequests' IS DISTINCT FROM '0' THEN share END AS share_min, share AS share_sum,
    rate AS rate_sum, rate AS rate_max, rate AS rate_min, "serviceRequestsPerSecond" AS service_rate_sum,
    CAST(sut ->> 'latencyP50' AS double precision) AS p50,
    -- p99, sequence below zero, rate, p50, p99 of the peers and breaches: of two arrays the larger one is the slower window.
    CASE WHEN sut ->> 'latencyP99' IS NOT NULL
        THEN ARRAY[CAST(sut ->> 'latencyP99' AS double precision), -sequence, rate,
            CAST(sut ->> 'latencyP50' AS double precision), CAST(peers ->> 'latencyP99' AS double precision),
            CAST(verdict.judgement = 'BREACHED' AS integer)] END AS slowest,
    -- Sequence with leading zeros, phase, step, share asked for and limit: of two arrays the larger one is the later window.
    ARRAY[lpad(CAST(sequence AS text), 19, '0'), phase, coalesce(advice ->> 'step', '0'),
        CAST(asked_ppm / 1e6::double precision AS text), latency ->> 'threshold'] AS newest,
    CAST(latency ->> 'value' AS double precision) AS rule_value,
    CAST(latency ->> 'threshold' AS double precision) AS threshold, completed, errors,
    errors / nullif(completed, 0) AS error_ratio, CAST(sut ->> 'inFlight' AS double precision) AS in_flight,
    CASE WHEN coalesce(moved, true) THEN "harmRequests" ELSE 0 END AS harm, utilisation,
    CAST(peers ->> 'requestsPerSecond' AS double precision) AS peers_rate_sum,
    CAST(peers ->> 'latencyP50' AS double precision) AS peers_p50,
    CAST(peers ->> 'latencyP99' AS double precision) AS peers_p99,
    CAST(peers ->> 'errors' AS double precision) / nullif(CAST(peers ->> 'completed' AS double precision), 0)
        AS peers_error_ratio,
    -- Sequence, capacity, low and high: of two arrays the larger one is the newer estimate.
    CASE WHEN CAST(estimate ->> 'capacity' AS double precision) > 0
        THEN ARRAY[sequence, CAST(estimate ->> 'capacity' AS double precision),
            CAST(estimate ->> 'low' AS double precision), CAST(estimate ->> 'high' AS double precision)] END AS estimate,
    -- The rule that is the red line in a chart of latencies: sequence with leading zeros, name and expression.
    CASE WHEN latency IS NOT NULL
        THEN ARRAY[lpad(CAST(sequence AS text), 19, '0'), latency ->> 'name', latency ->> 'expression'] END AS latency_rule,
    -- Judgement and phase: where both are equal, all windows are alike.
    judged_window.judgement || ' ' || phase AS kind_min, judged_window.judgement || ' ' || phase AS kind_max,
    gauges, rules
FROM judged_window
CROSS JOIN LATERAL jsonb_to_record(CASE WHEN jsonb_typeof(content) = 'object' THEN content ELSE '{}' END) AS verdict(
    judgement text, "windowLength" text, sla jsonb, guards jsonb, sut jsonb, peers jsonb, advice jsonb, estimate jsonb,
    "serviceRequestsPerSecond" double precision, "harmRequests" double precision)
CROSS JOIN LATERAL (SELECT CAST(sut ->> 'requestsPerSecond' AS double precision) AS rate,
    CAST(sut ->> 'share' AS double precision) / 1e6 AS share, CAST(sut ->> 'completed' AS double precision) AS completed,
    CAST(sut ->> 'errors' AS double precision) AS errors) AS measured
CROSS JOIN LATERAL (
    SELECT array_agg(CAST(ROW(rule ->> 'name', guard, number, 1, CAST(said = 'BREACHED' AS integer),
            CAST(said = 'INCONCLUSIVE' AS integer), CAST(phase = 'Baseline' AS integer),
            CAST(phase = 'Baseline' AND said = 'BREACHED' AS integer),
            ARRAY[CASE said WHEN 'BREACHED' THEN 2 WHEN 'HOLDS' THEN 1 ELSE 0 END, coalesce(used, '-infinity'), -sequence])
            AS rule_sum)) AS rules,
        max(used) FILTER (WHERE acts) AS utilisation,
        -- The first rule of the SLA about a time; one that acts before an informational one, and then one about the p99.
        (array_agg(rule ORDER BY acts DESC, rule ->> 'expression' NOT LIKE '%latency.p99%', number)
            FILTER (WHERE NOT guard AND rule ->> 'unit' = 'seconds'))[1] AS latency
    FROM (SELECT rule, number, false AS guard FROM jsonb_array_elements(sla) WITH ORDINALITY AS rules(rule, number)
            UNION ALL SELECT rule, number, true FROM jsonb_array_elements(guards) WITH ORDINALITY AS rules(rule, number))
            AS judged,
        LATERAL (SELECT rule ->> 'judgement' AS said, rule ->> 'informational' IS DISTINCT FROM 'true' AS acts,
            CAST(rule ->> 'utilisation' AS double precision) AS used) AS result) AS judged_rules
CROSS JOIN LATERAL (
    SELECT array_agg(CAST(ROW(of_peers, gauge ->> 0, gauge ->> 2, CAST(gauge ->> 1 AS double precision)) AS gauge_sum))
        AS gauges
    FROM (SELECT false AS of_peers, jsonb_array_elements(sut -> 'gauges') AS gauge
        UNION ALL SELECT true, jsonb_array_elements(peers -> 'gauges')) AS measured_gauges) AS all_gauges;

-- The sums of 8, 64 and 512 times the length of a run's windows (levels 1, 2 and 3), from multiples of it since 1970 on. Charts and
-- reports of long runs are made from these. Only stretches are in it that no window comes to any more.
CREATE TABLE window_rollup (
    LIKE window_sum,
    PRIMARY KEY (run_id, level, bin),
    FOREIGN KEY (run_id) REFERENCES run (id)
) PARTITION BY RANGE (bin);

-- For times of which nobody made a partition: a clock that is far off must not end a run.
CREATE TABLE journal_other PARTITION OF journal DEFAULT;
CREATE TABLE judged_window_other PARTITION OF judged_window DEFAULT;
CREATE TABLE window_rollup_other PARTITION OF window_rollup DEFAULT;

SELECT add_month(parent, month_of(now(), later))
FROM unnest(ARRAY['journal', 'judged_window', 'window_rollup']) AS parent, generate_series(0, 3) AS later
ORDER BY parent, later;

-- The journal is append-only: rows can only go when the run is over, and it is written down first that they go.
CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
            SELECT 1 FROM run WHERE id = OLD.run_id AND phase = 'Finished' AND details = 'Going') THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the journal is append-only';
END
$$;

CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE ON journal
    FOR EACH ROW EXECUTE FUNCTION journal_is_append_only();

-- Profiles that are made of several runs, one after another. The members are in the state.
CREATE TABLE series (
    id          text PRIMARY KEY,
    service     text NOT NULL,
    plan_name   text NOT NULL,
    plan_hash   text NOT NULL,
    -- The plan as it was when the series was submitted: its runs' plans are derived from it.
    plan        jsonb NOT NULL,
    state       jsonb NOT NULL,
    -- Grows with each decision; whoever updates by an old one lost the race, and looks again.
    version     bigint NOT NULL,
    created_at  timestamptz NOT NULL,
    finished_at timestamptz
);

CREATE INDEX series_newest ON series (created_at DESC, id DESC);
CREATE INDEX series_live ON series (created_at) WHERE finished_at IS NULL;

-- A key belongs to one run or to one series, and to nothing else.
CREATE TABLE idempotency_key (
    key        text PRIMARY KEY,
    body_hash  text NOT NULL,
    run_id     text REFERENCES run (id),
    series_id  text REFERENCES series (id),
    created_at timestamptz NOT NULL,
    CHECK (num_nonnulls(run_id, series_id) = 1)
);

CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);

-- Answers

CREATE TABLE capacity (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id      text NOT NULL UNIQUE REFERENCES run (id),
    service     text NOT NULL,
    instance    text NOT NULL,
    content     jsonb NOT NULL,
    recorded_at timestamptz NOT NULL,
    -- What the instance was when its capacity was found; null where nobody said.
    version     text,
    hardware    text
);

-- Newest first, from any place on, for each way to narrow it.
CREATE INDEX capacity_of_service ON capacity (service, recorded_at DESC, id DESC);
CREATE INDEX capacity_of_instance ON capacity (service, instance, recorded_at DESC, id DESC);
CREATE INDEX capacity_of_version ON capacity (service, version, recorded_at DESC, id DESC);
CREATE INDEX capacity_of_hardware ON capacity (service, hardware, recorded_at DESC, id DESC);

-- What is known of an instance that no redirector tells; whoever deploys it says so.
CREATE TABLE instance_facts (
    service        text NOT NULL,
    instance       text NOT NULL,
    version        text,
    hardware       text,
    failure_domain text,
    updated_at     timestamptz NOT NULL,
    PRIMARY KEY (service, instance)
);

-- The highest rate of a service that a run saw on a day (UTC), in requests/s.
CREATE TABLE service_peak (
    service text NOT NULL,
    day     date NOT NULL,
    peak    double precision NOT NULL,
    at      timestamptz NOT NULL,
    run_id  text NOT NULL REFERENCES run (id),
    PRIMARY KEY (service, day)
);

-- Safety

-- One row. Who starts a run locks it, so that starts are let through one after another, and none slips past the switch.
CREATE TABLE kill_switch (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    engaged  boolean NOT NULL,
    actor    text NOT NULL,
    reason   text NOT NULL,
    at       timestamptz NOT NULL
);
INSERT INTO kill_switch (engaged, actor, reason, at) VALUES (false, 'nobody', 'never engaged', 'epoch');

CREATE TABLE freeze_window (
    id         text PRIMARY KEY,
    -- Absent: all services.
    service    text,
    starts_at  timestamptz NOT NULL,
    ends_at    timestamptz NOT NULL,
    reason     text NOT NULL,
    actor      text NOT NULL,
    created_at timestamptz NOT NULL,
    CHECK (starts_at < ends_at)
);
CREATE INDEX freeze_window_by_end ON freeze_window (ends_at);

CREATE TABLE service_harm_budget (
    service            text PRIMARY KEY,
    requests_per_month double precision NOT NULL CHECK (requests_per_month >= 0)
);

-- Schedules

CREATE TABLE calendar (
    name        text PRIMARY KEY,
    content     text NOT NULL,
    hash        text NOT NULL,
    source      text NOT NULL DEFAULT 'api',
    updated_at  timestamptz NOT NULL,
    -- The team that may change a calendar. Without one, whoever may operate the services of all plans that rest on it.
    team        text,
    -- What its events came to when it was stored.
    busy_events integer NOT NULL,
    free_events integer NOT NULL,
    warnings    text[] NOT NULL
);

-- The schedule of a plan's current version. Each version has an id of its own, so that a firing of an older one knows
-- that it is not wanted any more.
CREATE TABLE plan_schedule (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plan_name     text NOT NULL UNIQUE REFERENCES plan (name) ON DELETE CASCADE,
    plan_version  integer NOT NULL,
    service       text NOT NULL,
    on_deployment boolean NOT NULL,
    -- Cron or interval; null when only events start the plan.
    timing        text,
    -- From which intervals are counted.
    anchor_at     timestamptz NOT NULL,
    calendars     text[] NOT NULL,
    paused_at     timestamptz,
    pause_reason  text
);

CREATE INDEX plan_schedule_on_deployment ON plan_schedule (service) WHERE on_deployment;
CREATE INDEX plan_schedule_calendars ON plan_schedule USING gin (calendars);

-- What became of each firing. It outlives plans and their versions.
CREATE TABLE schedule_firing (
    -- The idempotency key of its run.
    key           text PRIMARY KEY,
    plan_name     text NOT NULL,
    plan_version  integer NOT NULL,
    due_at        timestamptz NOT NULL,
    cause         text NOT NULL,
    deployment_id text,
    -- Waiting, Started, Refused or Skipped.
    state         text NOT NULL,
    attempts      integer NOT NULL,
    -- The last attempt.
    fired_at      timestamptz NOT NULL,
    run_id        text,
    code          text,
    reason        text
);

CREATE INDEX schedule_firing_of_plan ON schedule_firing (plan_name, due_at DESC, key DESC);
CREATE INDEX schedule_firing_of_deployment ON schedule_firing (deployment_id) WHERE deployment_id IS NOT NULL;
CREATE INDEX schedule_firing_settled ON schedule_firing (fired_at) WHERE state <> 'Waiting';

-- Reported by CI/CD, each once.
CREATE TABLE deployment (
    id          text PRIMARY KEY,
    service     text NOT NULL,
    version     text NOT NULL,
    instances   text[] NOT NULL,
    at          timestamptz NOT NULL,
    received_at timestamptz NOT NULL
);

CREATE INDEX deployment_of_service ON deployment (service, at DESC, id DESC);
CREATE INDEX deployment_received ON deployment (received_at);

-- The table of db-scheduler.
CREATE TABLE scheduled_tasks (
    task_name            text NOT NULL,
    task_instance        text NOT NULL,
    task_data            bytea,
    execution_time       timestamptz NOT NULL,
    picked               boolean NOT NULL,
    picked_by            text,
    last_success         timestamptz,
    last_failure         timestamptz,
    consecutive_failures integer,
    last_heartbeat       timestamptz,
    version              bigint NOT NULL,
    priority             smallint,
    PRIMARY KEY (task_name, task_instance)
);

CREATE INDEX scheduled_tasks_due ON scheduled_tasks (picked, execution_time);
CREATE INDEX scheduled_tasks_heartbeat ON scheduled_tasks (picked, last_heartbeat);

-- Notifications

-- Messages to people, written in the transaction of the decision that causes it, and sent afterwards.
CREATE TABLE notification (
    -- Stays the same over all attempts: receivers know repetitions by it.
    id          text PRIMARY KEY,
    run_id      text NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    service     text NOT NULL,
    trigger     text NOT NULL,
    -- The receiver. An address that may be a secret is not in it: it is read from the run's plan, entry counting from 0.
    receiver    text NOT NULL,
    entry       integer NOT NULL,
    kind        text NOT NULL,
    shown       text NOT NULL,
    -- What is sent to one endpoint goes one after the other.
    endpoint    text NOT NULL,
    content     jsonb NOT NULL,
    state       text NOT NULL CHECK (state IN ('WAITING', 'DELIVERED', 'DEAD')),
    attempts    integer NOT NULL,
    created_at  timestamptz NOT NULL,
    -- The longest wait counts from here: creation, or when somebody asked to try again.
    accepted_at timestamptz NOT NULL,
    -- When it is to be sent. Whoever sends it moves this ahead first: if they die, somebody else is due then.
    due_at      timestamptz NOT NULL,
    settled_at  timestamptz,
    last_error  text,
    -- However often a decision is taken, one message per receiver.
    UNIQUE (run_id, trigger, receiver)
);

CREATE INDEX notification_newest ON notification (created_at DESC, id DESC);
CREATE INDEX notification_by_state ON notification (state, created_at DESC, id DESC);
CREATE INDEX notification_settled ON notification (settled_at) WHERE state <> 'WAITING';

-- One task for each message that waits. A table of its own: a scheduler removes tasks of others, which it does not know.
CREATE TABLE notification_task (LIKE scheduled_tasks INCLUDING ALL);

-- Access

CREATE TABLE api_token (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text NOT NULL,
    -- SHA-256 in hex. The token itself is 256 random bits: nobody can guess it, so no slow hash is needed.
    hash         text NOT NULL UNIQUE,
    role         text NOT NULL CHECK (role IN ('VIEWER', 'OPERATOR', 'ADMIN')),
    teams        text[] NOT NULL,
    created_by   text NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_by   text,
    revoked_at   timestamptz
);

-- A revoked token stays for the audit, and its name is free again.
CREATE UNIQUE INDEX api_token_name ON api_token (name) WHERE revoked_at IS NULL;

CREATE TABLE service_owner (
    service text PRIMARY KEY,
    team    text NOT NULL,
    set_by  text NOT NULL,
    set_at  timestamptz NOT NULL
);

-- Who asked for what: written before it is done.
CREATE TABLE audit_entry (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL,
    actor    text NOT NULL,
    kind     text NOT NULL,
    address  text NOT NULL,
    method   text NOT NULL,
    resource text NOT NULL
);

CREATE INDEX audit_entry_actor ON audit_entry (actor, id DESC);
CREATE INDEX audit_entry_at ON audit_entry (at);

-- What became of it: written afterwards. An entry without one was cut off.
CREATE TABLE audit_outcome (
    entry_id bigint PRIMARY KEY REFERENCES audit_entry (id),
    at       timestamptz NOT NULL,
    status   integer NOT NULL,
    service  text,
    run_id   text,
    reason   text
);

CREATE INDEX audit_outcome_service ON audit_outcome (service, entry_id DESC) WHERE service IS NOT NULL;

-- One row: of what time entries of the audit log were removed. No later ones can be.
CREATE TABLE audit_horizon (
    only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    removed_before timestamptz NOT NULL
);
INSERT INTO audit_horizon (removed_before) VALUES ('epoch');

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE FUNCTION audit_entry_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.at < (SELECT removed_before FROM audit_horizon) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE FUNCTION audit_outcome_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT at FROM audit_entry WHERE id = OLD.entry_id) < (SELECT removed_before FROM audit_horizon) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE TRIGGER audit_entry_append_only BEFORE UPDATE ON audit_entry
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION audit_entry_is_kept();
CREATE TRIGGER audit_entry_not_emptied BEFORE TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_outcome_append_only BEFORE UPDATE ON audit_outcome
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_outcome_kept BEFORE DELETE ON audit_outcome FOR EACH ROW EXECUTE FUNCTION audit_outcome_is_kept();
CREATE TRIGGER audit_outcome_not_emptied BEFORE TRUNCATE ON audit_outcome
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
