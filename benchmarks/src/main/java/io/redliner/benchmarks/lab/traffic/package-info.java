// SPDX-License-Identifier: Apache-2.0
/** A simulated fleet under live traffic in virtual time, with one server under test. */
@NullMarked
package io.redliner.benchmarks.lab.traffic;

import org.jspecify.annotations.NullMarked;
