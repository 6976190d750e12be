// SPDX-License-Identifier: Apache-2.0
/** A bench of one controller: the time from a verdict to the lease that answers it, with many live runs. */
@NullMarked
package io.redliner.benchmarks.controller;

import org.jspecify.annotations.NullMarked;
