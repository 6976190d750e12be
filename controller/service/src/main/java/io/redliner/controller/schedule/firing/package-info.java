// SPDX-License-Identifier: Apache-2.0
/** Starts plans when they are due: durable and once, with as many controllers as there may be, on db-scheduler. */
@NullMarked
package io.redliner.controller.schedule.firing;

import org.jspecify.annotations.NullMarked;
