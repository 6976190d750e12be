-- SPDX-License-Identifier: Apache-2.0

ALTER TABLE run ADD COLUMN conflict_group text;
ALTER TABLE run ADD COLUMN cluster text NOT NULL DEFAULT 'default';
-- A run that waits for a second person is driven by nobody.
ALTER TABLE run ADD COLUMN awaits_approval boolean NOT NULL DEFAULT false;
-- Harmed requests; set when the run is over.
ALTER TABLE run ADD COLUMN harm double precision;

-- Never two live runs in one conflict group, whatever the code believes.
CREATE UNIQUE INDEX run_live_per_conflict_group ON run (conflict_group) WHERE phase <> 'Finished';
CREATE INDEX run_live ON run (cluster) WHERE phase <> 'Finished';
CREATE INDEX run_harm ON run (service, finished_at) WHERE harm IS NOT NULL;

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

-- What somebody asks of a run that another controller drives.
CREATE TABLE run_request (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id   text NOT NULL REFERENCES run (id),
    kind     text NOT NULL,
    reason   text NOT NULL,
    at       timestamptz NOT NULL,
    taken_at timestamptz
);
CREATE INDEX run_request_open ON run_request (run_id) WHERE taken_at IS NULL;

-- What a run was when it was registered: the journal is replayed from here.
ALTER TABLE run ADD COLUMN first_state jsonb;

CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);

-- Lists of runs are read in the order of an index, whatever they are filtered by.
CREATE INDEX run_newest_of_service ON run (service, submitted_at DESC, id DESC);
CREATE INDEX run_newest_in_phase ON run (phase, submitted_at DESC, id DESC);
