// SPDX-License-Identifier: Apache-2.0
/**
 * The one thread that all state changes happen on. Leases, answers of proxies and services come in from any thread. It is decided
 * what a turn deals with and when the next one is due; the turns go out to {@link io.redliner.redirector.lease.LeaseReconciler}.
 */
@NullMarked
package io.redliner.redirector.eventloop;

import org.jspecify.annotations.NullMarked;
