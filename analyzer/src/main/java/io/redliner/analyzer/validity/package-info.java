// SPDX-License-Identifier: Apache-2.0
/** Whether a run can be trusted. Plain Java. */
@NullMarked
package io.redliner.analyzer.validity;

import org.jspecify.annotations.NullMarked;
