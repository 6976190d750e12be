// SPDX-License-Identifier: Apache-2.0
/** A fleet under live traffic in virtual time, one server of which is under test. */
@NullMarked
package io.redliner.benchmarks.lab.traffic;

import org.jspecify.annotations.NullMarked;
