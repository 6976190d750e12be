// SPDX-License-Identifier: Apache-2.0
/** What a method that looks for a capacity is given, and what it answers. */
@NullMarked
package io.redliner.benchmarks.lab.method;

import org.jspecify.annotations.NullMarked;
