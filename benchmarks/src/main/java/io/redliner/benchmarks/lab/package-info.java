// SPDX-License-Identifier: Apache-2.0
/** The accuracy lab: it compares methods on simulated servers whose capacity is known. */
@NullMarked
package io.redliner.benchmarks.lab;

import org.jspecify.annotations.NullMarked;
