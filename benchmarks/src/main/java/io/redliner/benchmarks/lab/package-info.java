// SPDX-License-Identifier: Apache-2.0
/** The accuracy lab: how near to the truth, how sure, how fast, and at whose cost. */
@NullMarked
package io.redliner.benchmarks.lab;

import org.jspecify.annotations.NullMarked;
