// SPDX-License-Identifier: Apache-2.0
/** How long is waited before something that is down is tried again: PostgreSQL, Kafka, Kubernetes, a scraped target, a controller. */
@NullMarked
package io.redliner.contract.retry;

import org.jspecify.annotations.NullMarked;
