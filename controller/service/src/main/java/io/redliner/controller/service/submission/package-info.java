// SPDX-License-Identifier: Apache-2.0
/** Wires what reads and writes plans. */
@NullMarked
package io.redliner.controller.service.submission;

import org.jspecify.annotations.NullMarked;
