// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** Of one rule or one window. */
public enum Judgement {

    HOLDS, BREACHED,
    /** No data or an error: never treated as healthy. */
    INCONCLUSIVE
}
