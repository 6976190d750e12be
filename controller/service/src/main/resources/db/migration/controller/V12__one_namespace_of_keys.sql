-- SPDX-License-Identifier: Apache-2.0

-- A key belongs to one run or to one series, and to nothing else. A controller of an older version goes on reading the column of series.
ALTER TABLE idempotency_key ALTER COLUMN run_id DROP NOT NULL;
ALTER TABLE idempotency_key ADD COLUMN series_id text REFERENCES series (id);
ALTER TABLE idempotency_key ADD CHECK (num_nonnulls(run_id, series_id) = 1);

INSERT INTO idempotency_key (key, body_hash, series_id, created_at)
SELECT idempotency_key, body_hash, id, created_at FROM series WHERE idempotency_key IS NOT NULL
ON CONFLICT (key) DO NOTHING;
