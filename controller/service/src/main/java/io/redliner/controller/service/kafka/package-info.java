// SPDX-License-Identifier: Apache-2.0
/**
 * Verdicts, lease status and deployments come in from Kafka, runs and leases go out. Messages become values of the core here,
 * and nowhere else. A record that cannot be read is skipped and counted.
 */
@NullMarked
package io.redliner.controller.service.kafka;

import org.jspecify.annotations.NullMarked;
