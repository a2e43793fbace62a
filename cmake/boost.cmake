# warden_boost: Boost's Asio and Beast, for everything that listens or holds a connection open.
add_library(warden_boost STATIC ${CMAKE_CURRENT_LIST_DIR}/boost.cc)
target_link_libraries(warden_boost PUBLIC Boost::headers OpenSSL::SSL Threads::Threads)
target_compile_definitions(warden_boost PUBLIC
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION
  # This compiler has what this version of Boost looks for under an older name.
  $<$<CXX_COMPILER_ID:Clang>:BOOST_ASIO_HAS_CO_AWAIT BOOST_ASIO_HAS_STD_COROUTINE>)
