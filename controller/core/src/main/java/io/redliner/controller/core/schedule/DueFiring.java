// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;

/** A time at which a plan will start. */
public record DueFiring(long schedule, String plan, String service, Instant at) {}
