// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.analyzer.state;

import org.jspecify.annotations.NullMarked;
