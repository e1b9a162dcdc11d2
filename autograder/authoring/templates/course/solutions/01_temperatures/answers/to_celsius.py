# %% right="one line"
def to_celsius(fahrenheit):
    return (fahrenheit - 32) / 1.8

# %% right="through kelvin"
def to_celsius(fahrenheit):
    kelvin = (np.asarray(fahrenheit) + 459.67) * 5 / 9
    return kelvin - 273.15

# %% mistake="ratio upside down" style="times 1.8"
def to_celsius(fahrenheit):
    return (fahrenheit - 32) * 1.8

# %% mistake="ratio upside down" style="divided by five ninths"
def to_celsius(fahrenheit):
    shifted = fahrenheit - 32
    return shifted / (5 / 9)

# %% mistake="freezing point forgotten" style="divided alone"
def to_celsius(fahrenheit):
    return fahrenheit / 1.8

# %% mistake="freezing point forgotten" style="taken off too late"
def to_celsius(fahrenheit):
    return fahrenheit / 1.8 - 32

# %% unlisted="nothing returned"
def to_celsius(fahrenheit):
    (fahrenheit - 32) / 1.8
