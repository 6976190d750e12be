// SPDX-License-Identifier: Apache-2.0
/** The collector watches itself, and says in which windows it could not measure well. */
@NullMarked
package io.redliner.collector.watch;

import org.jspecify.annotations.NullMarked;
