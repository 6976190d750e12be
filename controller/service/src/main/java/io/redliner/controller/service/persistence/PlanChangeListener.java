// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.time.Instant;

/** Is called for each change of a plan, inside the transaction that changes it. An exception undoes the change. */
public interface PlanChangeListener {

    /** A plan has a new current version. */
    void stored(String name, int version, String content, Instant now);

    /** A plan is about to be removed. */
    void removing(String name);
}
