// SPDX-License-Identifier: Apache-2.0
/** What a method that searches for a capacity is given, and the result that it returns. */
@NullMarked
package io.redliner.benchmarks.lab.api;

import org.jspecify.annotations.NullMarked;
