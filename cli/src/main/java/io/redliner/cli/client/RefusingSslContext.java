// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context of an HTTP client that never uses TLS, and refuses to. Such a client asks for a context all the same, and
 * the default one reads the JDK's certificates and all cipher suites first.
 */
final class RefusingSslContext extends SSLContext {

    RefusingSslContext() {
        super(new Refusing(), null, "none");
    }

    private static final class Refusing extends SSLContextSpi {

        @Override
        protected void engineInit(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust,
                @Nullable SecureRandom random) {
            throw noTls();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return new SSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return new SSLParameters();
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            throw noTls();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            throw noTls();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            throw noTls();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            throw noTls();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            throw noTls();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            throw noTls();
        }

        private static UnsupportedOperationException noTls() {
            return new UnsupportedOperationException("This client is for plain HTTP");
        }
    }
}
