// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.analyzer.validity;

import org.jspecify.annotations.NullMarked;
