// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** Where the search is. */
public enum SearchPhase {
    UNKNOWN, BASELINE, RAMPING, CONFIRMING, ENDED
}
