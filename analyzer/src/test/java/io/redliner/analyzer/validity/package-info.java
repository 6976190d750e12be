// SPDX-License-Identifier: Apache-2.0
/** Tests of the analyzer. */
@NullMarked
package io.redliner.analyzer.validity;

import org.jspecify.annotations.NullMarked;
