// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.analyzer.evidence;

import org.jspecify.annotations.NullMarked;
