// SPDX-License-Identifier: Apache-2.0
/** Tests of the search, on a simulated server in virtual time. */
@NullMarked
package io.redliner.analyzer.search;

import org.jspecify.annotations.NullMarked;
