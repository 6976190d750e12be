-- SPDX-License-Identifier: Apache-2.0

-- Where a plan came from: 'api' or 'folder'. What the folder owns, nobody else changes.
ALTER TABLE plan ADD COLUMN source text NOT NULL DEFAULT 'api';
-- The file in the folder.
ALTER TABLE plan ADD COLUMN source_file text;

CREATE TABLE calendar (
    name       text PRIMARY KEY,
    content    text NOT NULL,
    hash       text NOT NULL,
    source     text NOT NULL DEFAULT 'api',
    updated_at timestamptz NOT NULL
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

-- Told by CI/CD, each once.
CREATE TABLE deployment (
    id          text PRIMARY KEY,
    service     text NOT NULL,
    version     text NOT NULL,
    instances   text[] NOT NULL,
    at          timestamptz NOT NULL,
    received_at timestamptz NOT NULL
);

CREATE INDEX deployment_of_service ON deployment (service, at DESC, id DESC);

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
