-- SPDX-License-Identifier: Apache-2.0

-- What people are to be told, written in the transaction of the decision that causes it, and sent afterwards.
CREATE TABLE notification (
    -- Stays the same over all attempts: receivers know repetitions by it.
    id          text PRIMARY KEY,
    run_id      text NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    service     text NOT NULL,
    occasion    text NOT NULL,
    -- Who is told. An address that may be a secret is not in it: it is read from the run's plan, entry counting from 0.
    receiver    text NOT NULL,
    entry       integer NOT NULL,
    kind        text NOT NULL,
    shown       text NOT NULL,
    -- What of one lane is sent goes one after the other.
    lane        text NOT NULL,
    content     jsonb NOT NULL,
    state       text NOT NULL CHECK (state IN ('WAITING', 'DELIVERED', 'DEAD')),
    attempts    integer NOT NULL,
    created_at  timestamptz NOT NULL,
    -- The longest wait counts from here: creation, or when somebody asked to try again.
    accepted_at timestamptz NOT NULL,
    -- When it is to be sent. Whoever sends it moves this ahead first: if they die, somebody else is due then.
    due_at      timestamptz NOT NULL,
    -- Of the attempt that is under way.
    claim       text,
    settled_at  timestamptz,
    last_error  text,
    -- However often a decision is taken, one message per receiver.
    UNIQUE (run_id, occasion, receiver)
);

CREATE INDEX notification_due ON notification (lane, due_at, id) WHERE state = 'WAITING';
CREATE INDEX notification_newest ON notification (created_at DESC, id DESC);
CREATE INDEX notification_by_state ON notification (state, created_at DESC, id DESC);
CREATE INDEX notification_settled ON notification (settled_at) WHERE state <> 'WAITING';
