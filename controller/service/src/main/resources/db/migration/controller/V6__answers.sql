-- SPDX-License-Identifier: Apache-2.0

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

-- What the instance was when its capacity was found; null where nobody said.
ALTER TABLE capacity ADD COLUMN version text;
ALTER TABLE capacity ADD COLUMN hardware text;

UPDATE capacity SET version = run.plan #>> '{metadata,labels,version}', hardware = run.plan #>> '{metadata,labels,hardware}'
FROM run WHERE run.id = capacity.run_id;

-- Newest first, from any place on, for each way to narrow it.
DROP INDEX capacity_history;
CREATE INDEX capacity_of_service ON capacity (service, recorded_at DESC, id DESC);
CREATE INDEX capacity_of_instance ON capacity (service, instance, recorded_at DESC, id DESC);
CREATE INDEX capacity_of_version ON capacity (service, version, recorded_at DESC, id DESC);
CREATE INDEX capacity_of_hardware ON capacity (service, hardware, recorded_at DESC, id DESC);

-- The highest rate of a service that a run saw on a day (UTC), in requests/s.
CREATE TABLE service_peak (
    service text NOT NULL,
    day     date NOT NULL,
    peak    double precision NOT NULL,
    at      timestamptz NOT NULL,
    run_id  text NOT NULL REFERENCES run (id),
    PRIMARY KEY (service, day)
);

-- When a finished run's windows were read for their peaks.
ALTER TABLE run ADD COLUMN peaks_at timestamptz;
CREATE INDEX run_without_peaks ON run (finished_at) WHERE phase = 'Finished' AND peaks_at IS NULL;
