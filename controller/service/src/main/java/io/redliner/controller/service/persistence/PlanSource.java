// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.util.Locale;

/** Who a plan came from, and who alone may change it. */
public enum PlanSource {

    /** The REST API. */
    API,

    /** The watched folder. */
    FOLDER;

    /** As it is stored and shown. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static PlanSource of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
