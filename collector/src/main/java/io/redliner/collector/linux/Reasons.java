// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.util.Collection;

/** Why something could not be measured, in no more words than health has room for. */
public final class Reasons {

    private static final int MOST = 10;

    private Reasons() {}

    /** The first ten, and how many more there are. */
    public static String first(Collection<String> reasons) {
        String some = String.join("; ", reasons.stream().limit(MOST).toList());
        return reasons.size() > MOST ? some + "; and " + (reasons.size() - MOST) + " more" : some;
    }
}
