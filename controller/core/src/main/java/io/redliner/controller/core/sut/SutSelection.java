// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import org.jspecify.annotations.Nullable;

/**
 * Which instance was taken for a plan that names none. It is recorded with what it was taken for, and never chosen again.
 *
 * @param select how, as in the plan
 * @param version that the instance was known to run; absent when nobody said
 * @param among how many instances fitted, this one included
 * @param why one sentence for people
 * @param deployment that the run was started by; absent when something else started it
 */
public record SutSelection(String instance, String select, @Nullable String version, int among, String why,
        @Nullable String deployment) {}
