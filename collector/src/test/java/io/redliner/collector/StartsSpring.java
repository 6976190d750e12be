// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Its contexts initialize Spring's logging, which two of them cannot do at the same time: such classes run one after the other. */
@ResourceLock("the logging of Spring")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface StartsSpring {
}
