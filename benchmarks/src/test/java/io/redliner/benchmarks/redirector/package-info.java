// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.benchmarks.redirector;

import org.jspecify.annotations.NullMarked;
