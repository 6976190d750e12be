// SPDX-License-Identifier: Apache-2.0
/** How soon a lease is in force, how many proxies one redirector bears, and how exactly traffic is divided. */
@NullMarked
package io.redliner.benchmarks.redirector;

import org.jspecify.annotations.NullMarked;
