// SPDX-License-Identifier: Apache-2.0
/** Tests of the analyzer. */
@NullMarked
package io.redliner.analyzer.tape;

import org.jspecify.annotations.NullMarked;
