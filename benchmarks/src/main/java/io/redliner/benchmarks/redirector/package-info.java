// SPDX-License-Identifier: Apache-2.0
/** Benches of one redirector: the time from a lease to the share in force, and many proxies on one redirector. */
@NullMarked
package io.redliner.benchmarks.redirector;

import org.jspecify.annotations.NullMarked;
